/** What a page loads when somebody has chosen Fairy-Stockfish: it comes with this, and nothing of it is loaded before. */
export { StrongEngine } from '../../explain/strong_engine.js';
