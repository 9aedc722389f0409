/**
 * Fairy-Stockfish in a worker: loads the package's own files, which run as they are, and passes on what is said in UCI. Knows
 * no page.
 *
 * @typedef {{script: string, worker: string, wasm: string, ini: string}} Files   addresses of the package's files; `ini`: the
 *   text of a variants.ini
 * @typedef {{load: Files} | string} Told   first what to load, then lines of UCI
 * @typedef {{failed: string} | string} Said
 */
/** @type {any} */
const scope = globalThis;
/** @type {Promise<any> | null} */
let engine = null;

scope.addEventListener('message', (/** @type {MessageEvent<Told>} */ { data }) => {
  if (typeof data !== 'string' && 'load' in data) engine = load(data.load);
  else void engine?.then(loaded => loaded?.postMessage(data));
});

/** @param {Files} files @returns {Promise<any>} null if it cannot run, which is said */
async function load({ script, worker, wasm, ini }) {
  try {
    scope.importScripts(script);
    const loaded = await scope.Stockfish({
      locateFile: (/** @type {string} */ name) => (name.endsWith('.wasm') ? wasm : worker),
      mainScriptUrlOrBlob: script,
    });
    loaded.addMessageListener((/** @type {string} */ line) => scope.postMessage(line));
    loaded.FS.writeFile('/variants.ini', ini);
    loaded.postMessage('setoption name VariantPath value /variants.ini');
    return loaded;
  } catch (error) {
    scope.postMessage({ failed: String(error) });
    return null;
  }
}

// So that its types can be imported.
export {};
