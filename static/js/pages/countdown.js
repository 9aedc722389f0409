/**
 * Counts down to the restart that the host has announced, on pages that say so. Without it they have the time that was left when
 * they were made.
 */
import { countDown } from '../ui/times.js';
import { byId } from '../ui/dom.js';

const shown = byId('restarts-in');
countDown(shown, Number(shown.dataset.ms));
