/** A provider of IPv6 on its end of a cable: a router that advertises, with a server of DHCPv6 where it is asked for. */
import { fileURLToPath } from "node:url";
import { waitUntil } from "#drivers/daemon.ts";
import type { Dhcp6Settings } from "./dhcp6-server.ts";
import type { NetnsMachine } from "./host.ts";

interface Offer {
  /** A /64 without its length: "2001:db8:2::". */
  readonly prefix: string;
  /** `addresses`: a server gives each client one (flag M); `advertised`: clients form their own. */
  readonly by?: "advertised" | "addresses";
  readonly more?: readonly string[];
}

/** A server of DHCPv6 on a port of a machine, which answers as its settings are at the moment. */
export class Dhcp6Server {
  readonly #machine: NetnsMachine;
  readonly #port: string;

  constructor(machine: NetnsMachine, port: string) {
    this.#machine = machine;
    this.#port = port;
  }

  #file(name: string): string {
    return `/run/dhcp6-${name}-${this.#port}`;
  }

  async give(settings: Dhcp6Settings): Promise<void> {
    await this.#machine.run(["sh", "-c", `cat > ${this.#file("new")}`], {
      input: JSON.stringify(settings),
    });
    await this.#machine.run(["mv", this.#file("new"), this.#file("settings")]);
  }

  /** It ends with its machine. */
  async start(settings: Dhcp6Settings): Promise<void> {
    await this.give(settings);
    const program = fileURLToPath(new URL("dhcp6-server.ts", import.meta.url));
    const files = `${this.#file("settings")} ${this.#file("log")}`;
    await this.#machine.run([
      "sh",
      "-c",
      `${process.execPath} ${program} ${this.#port} ${files} >${this.#file("out")} 2>&1 &`,
    ]);
    await waitUntil(
      "a DHCPv6 server",
      async () => (await this.log()).includes("READY"),
      60_000,
      50,
    );
  }

  /** Names of the messages that came. */
  log(): Promise<string> {
    return this.#machine.run(["cat", this.#file("log")]).catch(() => "");
  }
}

export class Ipv6Provider {
  readonly #machine: NetnsMachine;
  readonly #port: string;

  constructor(machine: NetnsMachine, port: string) {
    this.#machine = machine;
    this.#port = port;
  }

  #file(name: string): string {
    return `/run/six-${name}-${this.#port}`;
  }

  /** It is silent from now on, and has no address. */
  async end(): Promise<void> {
    const pid = this.#file("pid");
    await this.#machine.run(["sh", "-c", `[ ! -e ${pid} ] || kill $(cat ${pid}); rm -f ${pid}`]);
    await this.#machine.run(["ip", "-6", "addr", "flush", "dev", this.#port, "scope", "global"]);
  }

  /** From now on this is its network. */
  async serve({ prefix, by = "advertised", more = [] }: Offer): Promise<void> {
    await this.end();
    const own = `${prefix}1/64`;
    await this.#machine.run(["ip", "addr", "add", own, "dev", this.#port, "nodad"]);
    const range = by === "advertised" ? `${prefix},ra-only` : `${prefix}100,${prefix}1ff,64,1h`;
    await this.#machine.run([
      "dnsmasq",
      "--port=0",
      `--interface=${this.#port}`,
      "--bind-dynamic",
      "--user=root",
      "--conf-file=/dev/null",
      "--enable-ra",
      `--dhcp-range=${range}`,
      `--dhcp-leasefile=${this.#file("leases")}`,
      `--pid-file=${this.#file("pid")}`,
      ...more,
    ]);
  }
}

/**
 * A provider at each of the two cables of a site, 2001:db8:1::/64 at `isp1` and 2001:db8:2::/64 at `isp2`, and an address
 * behind both.
 */
export const serveBothCables = async (
  internet: NetnsMachine,
  far: string,
): Promise<readonly [Ipv6Provider, Ipv6Provider]> => {
  await internet.run(["sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
  await internet.run(["ip", "addr", "add", `${far}/128`, "dev", "lo", "nodad"]);
  const providers = [
    new Ipv6Provider(internet, "isp1"),
    new Ipv6Provider(internet, "isp2"),
  ] as const;
  await providers[0].serve({ prefix: "2001:db8:1::" });
  await providers[1].serve({ prefix: "2001:db8:2::" });
  return providers;
};

/** What a provider forwards by this port: what has a source of its own network (BCP 38), and nothing else of IPv6. */
export const checksSources = async (
  machine: NetnsMachine,
  ports: Readonly<Record<string, readonly string[]>>,
): Promise<void> => {
  const rules = Object.entries(ports).map(
    ([port, networks]) => `iifname "${port}" ip6 saddr != { ${networks.join(", ")} } counter drop`,
  );
  await machine.run(["nft", "-f", "-"], {
    input: `table ip6 bcp38\ndelete table ip6 bcp38\ntable ip6 bcp38 {\nchain c {\ntype filter hook prerouting priority 0;\nip6 saddr fe80::/10 accept\nicmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept\n${rules.join("\n")}\n}\n}\n`,
  });
};
