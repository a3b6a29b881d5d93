import { monitor } from "#drivers/monitor.ts";

/** Ms in which changes that come together are reported as one. */
const gatherMs = 30;

/**
 * Watches carrier and addresses of all interfaces through netlink (`ip monitor`). What it says is a
 * hint: the callback checks the lines.
 * @returns ends it
 */
export const watchLines = (changed: () => void): (() => void) => {
  let gathering: NodeJS.Timeout | null = null;
  const end = monitor(["ip", "monitor", "link", "address"], () => {
    gathering ??= setTimeout(() => {
      gathering = null;
      changed();
    }, gatherMs);
  });
  return () => {
    if (gathering) clearTimeout(gathering);
    end();
  };
};
