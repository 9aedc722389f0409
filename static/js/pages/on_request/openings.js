/** What the analysis page loads when somebody asks what was played here: nothing of it is loaded before. */
export { Openings } from '../../openings/openings.js';
