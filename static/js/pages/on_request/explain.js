/** What a page loads when somebody switches the engine on at its board: nothing of it is loaded before. */
export { EngineWorker } from '../../explain/engine_worker.js';
export { Explainer } from '../../explain/explainer.js';
