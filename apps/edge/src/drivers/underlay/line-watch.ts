import { monitor } from "#drivers/monitor.ts";

/** Ms in which changes that come together are reported as one. */
const gatherMs = 30;

/** Links and mobile clients are made by the edge itself, a dozen messages each. */
const tunnel = /^(?:Deleted )?\d+: (?:wl|wm)\d+[:@\s]/;

/** Whether a line of `ip -o monitor` can be about a line or LAN; null: messages were lost. */
export const isNewsOfLines = (line: string | null): boolean =>
  line === null || (line.trim() !== "" && !tunnel.test(line));

/**
 * Watches carrier and addresses of all interfaces through netlink (`ip monitor`). What it says is a
 * hint: the callback checks the lines.
 * @returns ends it
 */
export const watchLines = (changed: () => void): (() => void) => {
  let gathering: NodeJS.Timeout | null = null;
  const end = monitor(["ip", "-o", "monitor", "link", "address"], (line) => {
    if (!isNewsOfLines(line)) return;
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
