/**
 * Fairy-Stockfish as pages load it, in Node: takes UCI on standard input, and one line more, `variants TEXT`, whose JSON string
 * is a variants.ini to be read at once.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

// It would ask the network for its own file.
delete globalThis.fetch;
const engine = await createRequire(import.meta.url)('fairy-stockfish-nnue.wasm/stockfish.js')();
let files = 0;
engine.addMessageListener(line => process.stdout.write(`${line}\n`));
createInterface({ input: process.stdin })
  .on('line', line => {
    if (!line.startsWith('variants ')) return engine.postMessage(line);
    const path = `/variants-${files++}.ini`;
    engine.FS.writeFile(path, JSON.parse(line.slice('variants '.length)));
    engine.postMessage(`setoption name VariantPath value ${path}`);
  })
  .on('close', () => process.exit());
