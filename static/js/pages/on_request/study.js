/** What the analysis page loads when somebody opens the panel of studies. */
export { StudyPanel } from '../../studies/study_panel.js';
