import { monitor } from "#drivers/monitor.ts";

/** Ms in which changes that come together are reported as one. */
const gatherMs = 30;

/** Links and mobile clients are made by the edge itself, a dozen messages each. */
const tunnel = /^(?:Deleted )?\d+: (?:wl|wm)\d+[:@\s]/;

/** Whether a line of `ip -o monitor` can be about a line or LAN; null: messages were lost. */
export const isNewsOfLines = (line: string | null): boolean =>
  line === null || (line.trim() !== "" && !tunnel.test(line));

const linkPattern = /^\d+: ([^:@\s]+)(?:@[^:\s]+)?: <([^>]*)>/;

/**
 * Reads lines of `ip -o monitor` in their order.
 * @returns the interface that has a carrier again; null: none
 */
export const createPlugReader = (): ((line: string) => string | null) => {
  const unplugged = new Set<string>();
  return (line) => {
    const [, name, flags] = linkPattern.exec(line) ?? [];
    if (name === undefined || flags === undefined) return null;
    if (flags.split(",").includes("LOWER_UP")) return unplugged.delete(name) ? name : null;
    unplugged.add(name);
    return null;
  };
};

/**
 * Watches carrier and addresses of all interfaces through netlink (`ip monitor`). What it says is a
 * hint: the callback checks the lines.
 * @param plugged gets each interface that has a carrier again
 * @returns ends it
 */
export const watchLines = (
  changed: () => void,
  plugged: (interfaceName: string) => void,
): (() => void) => {
  let gathering: NodeJS.Timeout | null = null;
  const readPlug = createPlugReader();
  const end = monitor(["ip", "-o", "monitor", "link", "address"], (line) => {
    const back = line === null ? null : readPlug(line);
    if (back !== null) plugged(back);
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
