/**
 * A DHCPv6 server for one interface (RFC 8415): answers each client with what its settings file has at the moment, be it
 * sensible or not. Run in the network namespace of a provider: node dhcp6-server.ts INTERFACE SETTINGS LOG
 */
import { createSocket } from "node:dgram";
import { appendFileSync, readFileSync } from "node:fs";

interface Bound {
  /** Seconds. */
  readonly preferred: number;
  readonly valid: number;
}

export interface Dhcp6Settings {
  /** T1 of all that is given, seconds. */
  readonly renew: number;
  readonly address: ({ readonly address: string } & Bound) | null;
  readonly prefix: ({ readonly prefix: string; readonly length: number } & Bound) | null;
  /** Prefixes that are withdrawn in answers to those who renew them. */
  readonly withdrawn?: readonly { readonly prefix: string; readonly length: number }[];
  /** Nothing is answered. */
  readonly silent?: boolean;
}

const [interfaceName = "", settingsFile = "", logFile = ""] = process.argv.slice(2);

const types = ["", "SOLICIT", "ADVERTISE", "REQUEST", "CONFIRM", "RENEW", "REBIND", "REPLY"];
types[8] = "RELEASE";
types[9] = "DECLINE";
types[11] = "INFORMATION";

const code = { client: 1, server: 2, na: 3, address: 5, status: 13, rapid: 14, pd: 25, prefix: 26 };
const ownId = Buffer.from("00030001020000000001", "hex");

const option = (number: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(number, 0);
  head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, content]);
};

const numbers = (...all: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(4 * all.length);
  all.forEach((one, at) => {
    buffer.writeUInt32BE(one >>> 0, 4 * at);
  });
  return buffer;
};

const bytesOf = (address: string): Buffer => {
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => text.split(":").filter((one) => one !== "");
  const [first, last] = [groups(head), groups(tail)];
  const all = [...first, ...Array(8 - first.length - last.length).fill("0"), ...last];
  return Buffer.from(all.map((one) => one.padStart(4, "0")).join(""), "hex");
};

const optionsOf = (message: Buffer): { readonly number: number; readonly content: Buffer }[] => {
  const found = [];
  for (let at = 4; at + 4 <= message.length; ) {
    const length = message.readUInt16BE(at + 2);
    found.push({
      number: message.readUInt16BE(at),
      content: message.subarray(at + 4, at + 4 + length),
    });
    at += 4 + length;
  }
  return found;
};

const prefixOption = (prefix: string, length: number, preferred: number, valid: number): Buffer =>
  option(code.prefix, numbers(preferred, valid), Buffer.from([length]), bytesOf(prefix));

const none = (number: number): Buffer => option(code.status, Buffer.from([0, number]));

const association = (
  number: number,
  content: Buffer,
  { renew, address, prefix, withdrawn = [] }: Dhcp6Settings,
): Buffer => {
  const head = Buffer.concat([content.subarray(0, 4), numbers(renew, renew * 2)]);
  if (number === code.na)
    return address === null
      ? option(number, head, none(2))
      : option(
          number,
          head,
          option(code.address, bytesOf(address.address), numbers(address.preferred, address.valid)),
        );
  const old = withdrawn.map((one) => prefixOption(one.prefix, one.length, 0, 0));
  return prefix === null
    ? option(number, head, ...old, none(6))
    : option(
        number,
        head,
        ...old,
        prefixOption(prefix.prefix, prefix.length, prefix.preferred, prefix.valid),
      );
};

const socket = createSocket({ type: "udp6", reuseAddr: true });
socket.on("message", (message, from) => {
  // Of a machine with several such servers each gets what comes by any interface.
  if (!from.address.endsWith(`%${interfaceName}`)) return;
  const settings = JSON.parse(readFileSync(settingsFile, "utf8")) as Dhcp6Settings;
  const type = message[0] ?? 0;
  const asked = optionsOf(message);
  const length = asked.find(({ number }) => number === code.pd)?.content.at(24);
  appendFileSync(logFile, `${types[type]}${length === undefined ? "" : ` hint ${length}`}\n`);
  if (settings.silent === true) return;
  const client = asked.find(({ number }) => number === code.client)?.content ?? Buffer.alloc(0);
  const isRapid = asked.some(({ number }) => number === code.rapid);
  const answer = type === 1 && !isRapid ? 2 : 7;
  const reply = Buffer.concat([
    Buffer.from([answer]),
    message.subarray(1, 4),
    option(code.client, client),
    option(code.server, ownId),
    ...(type === 1 && isRapid ? [option(code.rapid)] : []),
    ...(type === 8 || type === 11
      ? [none(0)]
      : asked
          .filter(({ number }) => number === code.na || number === code.pd)
          .map(({ number, content }) => association(number, content, settings))),
  ]);
  socket.send(reply, from.port, from.address);
});
socket.bind(547, "::", () => {
  socket.addMembership("ff02::1:2", `::%${interfaceName}`);
  appendFileSync(logFile, "READY\n");
});
