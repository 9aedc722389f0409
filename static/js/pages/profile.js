/** A player's profile: its days as the reader writes them. All else needs no script. */
import { localDates } from '../ui/dates.js';

localDates();
