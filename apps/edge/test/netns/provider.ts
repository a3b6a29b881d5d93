/** A provider with DHCP on its end of a cable: dnsmasq in a machine of its own. */
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsMachine } from "./host.ts";

interface Offer {
  /** The first three numbers of its network. */
  readonly prefix: string;
  /** The first of 51 addresses. */
  readonly from?: number;
  readonly more?: readonly string[];
}

export class Provider {
  readonly #machine: NetnsMachine;
  readonly #port: string;

  constructor(machine: NetnsMachine, port: string) {
    this.#machine = machine;
    this.#port = port;
  }

  #file(name: string): string {
    return `/run/${name}-${this.#port}`;
  }

  /** Its server and address go. */
  async end(): Promise<void> {
    const pid = this.#file("pid");
    await this.#machine.run(["sh", "-c", `[ ! -e ${pid} ] || kill $(cat ${pid}); rm -f ${pid}`]);
    await this.#machine.run(["ip", "addr", "flush", "dev", this.#port]);
  }

  /** From now on this is its network; it knows no lease of another. */
  async serve({ prefix, from = 100, more = [] }: Offer): Promise<void> {
    await this.end();
    await this.#machine.run(["ip", "addr", "add", `${prefix}.1/24`, "dev", this.#port]);
    await this.#machine.run([
      "dnsmasq",
      "--port=0",
      "--no-ping",
      `--interface=${this.#port}`,
      "--bind-dynamic",
      "--user=root",
      "--conf-file=/dev/null",
      "--dhcp-authoritative",
      "--log-dhcp",
      `--log-facility=${this.#file("log")}`,
      `--dhcp-range=${prefix}.${from},${prefix}.${from + 50},255.255.255.0,1h`,
      `--dhcp-leasefile=${this.#file(`leases-${prefix}`)}`,
      `--pid-file=${this.#file("pid")}`,
      ...more,
    ]);
  }

  /** Everything that its servers wrote down. */
  log(): Promise<string> {
    return this.#machine.run(["cat", this.#file("log")]);
  }

  /** Messages of DHCP that it got and sent so far. */
  async messages(): Promise<string[]> {
    const pattern = /DHCP(DISCOVER|OFFER|REQUEST|ACK|NAK|DECLINE|RELEASE)\(/g;
    return [...(await this.log()).matchAll(pattern)].map(([, name = ""]) => name);
  }

  /** Its end of the cable, as the other end sees it. */
  async cable(way: "up" | "down", other: NetnsMachine, name: string): Promise<void> {
    await this.#machine.run(["ip", "link", "set", this.#port, way]);
    const isOut = async () =>
      (await other.run(["ip", "link", "show", "dev", name])).includes("NO-CARRIER");
    await waitUntil(`a cable ${way}`, async () => (await isOut()) === (way === "down"), 60_000, 20);
  }
}

/** Ends the server that a test world starts by itself. */
export const endOwnServer = (inet: NetnsMachine): Promise<string> =>
  inet.run(["sh", "-c", "kill $(cat /run/dnsmasq.pid)"]);
