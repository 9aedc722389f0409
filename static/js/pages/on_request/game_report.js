/** What the analysis page loads when somebody asks for a report: nothing of it is loaded before. */
export { GameReport } from '../../report/game_report.js';
