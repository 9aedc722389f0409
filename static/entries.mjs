/** The scripts that a browser loads by themselves, each with what it imports: esbuild's `entryPoints`, from static/. */
export const ENTRIES = [
  // One for each page, and its parts that only some readers of a page need.
  'js/pages/*.js',
  'js/pages/on_request/*.js',
  // Parts that a page loads when somebody asks for them. Their own address stands in the template, as data-script.
  'js/editor/board_editor.js',
  'js/explain/engine_switch.js',
  'js/explain/explainer.js',
  'js/explain/strong_engine.js',
  'js/openings/openings.js',
  'js/report/game_report.js',
  'js/report/report_beside.js',
  'js/round/conditional/conditional_entry.js',
  'js/round/note.js',
  'js/game/read_move.js',
  'js/studies/study_panel.js',
];

/** The service worker and the engine's worker, which have no page. */
export const WORKERS = ['js/service_worker.js', 'js/engine/worker.js'];
