/** What the page of a correspondence game loads when somebody prepares answers: nothing of it is loaded before. */
export { ConditionalEntry } from '../../round/conditional/conditional_entry.js';
