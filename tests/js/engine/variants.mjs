/** All variants as the server tells them to programs that play them. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const python = existsSync(`${ROOT}/.venv/bin/python`) ? `${ROOT}/.venv/bin/python` : 'python3';
const said = execFileSync(python, ['-m', 'server.rules', 'variants', '--json'], { cwd: ROOT, encoding: 'utf8' });

/** @type {Map<string, import('../../../static/js/engine/rules/variant_rules.js').VariantRules>} by id */
export const all = new Map(JSON.parse(said).map(variant => [variant.id, variant]));
