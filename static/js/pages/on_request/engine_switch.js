/** What a page with a board loads when the engine may be asked about it: the switch, and nothing of the engine. */
export { EngineSwitch } from '../../explain/engine_switch.js';
