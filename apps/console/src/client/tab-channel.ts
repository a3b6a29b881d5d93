/** What tabs of this browser send each other under a name; null: it forbids that, as it may forbid storage, or has no tabs. */
export const openTabChannel = (name: string): BroadcastChannel | null => {
  if (typeof BroadcastChannel === "undefined" || typeof document === "undefined") return null;
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
};
