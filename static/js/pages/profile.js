/** A player's profile: rewrites its dates as the reader writes them. All else needs no script. */
import { localDates } from '../ui/dates.js';

localDates();
