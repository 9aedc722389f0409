/** Has the service worker keep what playing the computer needs, for whoever may want it while offline. */
export function keepComputer() {
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage('keep-computer'));
}
