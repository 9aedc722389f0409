/**
 * Light or dark: follows the system until the visitor chooses, and remembers the choice on this machine.
 * Loaded before the page is painted, so that nothing flashes; marks the document as scripted for the stylesheet.
 */
const root = document.documentElement;
const KEY = 'theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** @returns {string | null} */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : systemDark.matches);

const chosen = remembered();
if (chosen === 'dark' || chosen === 'light') root.dataset.theme = chosen;
root.classList.add('scripted');

document.addEventListener('DOMContentLoaded', () => {
  const button = /** @type {HTMLButtonElement | null} */ (document.getElementById('theme'));
  if (!button) return;
  const label = () => button.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember(root.dataset.theme);
    label();
  });
  systemDark.addEventListener('change', label);
  label();
  button.hidden = false;
});
