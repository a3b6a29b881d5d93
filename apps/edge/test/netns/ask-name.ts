/** Questions of hosts to name servers, as programs for machines of a test. */
import type { NetnsMachine } from "./host.ts";

/** Types of records (RFC 1035, RFC 3596, RFC 9460). */
const types = { A: 1, AAAA: 28, HTTPS: 65 } as const;

export interface Question {
  readonly name: string;
  readonly type?: keyof typeof types;
  readonly server: string;
  /** Own address that it is asked from; absent: as routing leads. */
  readonly from?: string;
  readonly port?: number;
  readonly overTcp?: boolean;
}

/** Prints what the server says: its code, and addresses with their time to live. */
const program = ({ name, type = "A", server, from, port = 53, overTcp = false }: Question) => `
  const name = ${JSON.stringify(name)}.split(".");
  const query = Buffer.concat([
    Buffer.from([7, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...name.map((label) => Buffer.from(String.fromCharCode(label.length) + label)),
    Buffer.from([0, 0, ${types[type]}, 0, 1]),
  ]);
  const end = (text) => { console.log(text); process.exit(0); };
  const skip = (text, at) => {
    while (text[at] !== 0 && text[at] < 192) at += text[at] + 1;
    return at + (text[at] === 0 ? 1 : 2);
  };
  const read = (text) => {
    const code = { 0: "NOERROR", 2: "SERVFAIL", 3: "NXDOMAIN", 5: "REFUSED" }[text[3] & 15];
    const found = [];
    let at = skip(text, 12) + 4;
    for (let left = text.readUInt16BE(6); left > 0; left -= 1) {
      at = skip(text, at);
      const data = text.subarray(at + 10, at + 10 + text.readUInt16BE(at + 8));
      const address = data.length === 4 ? data.join(".") : data.toString("hex");
      found.push(address + " for " + text.readUInt32BE(at + 4));
      at += 10 + data.length;
    }
    end([code, ...found.sort()].join(", "));
  };
  setTimeout(() => end("silence"), 2500);
  const to = { host: "${server}", port: ${port}${from === undefined ? "" : `, localAddress: "${from}"`} };
  if (${overTcp}) {
    const length = Buffer.from([query.length >> 8, query.length & 255]);
    require("net").connect(to, function () { this.write(Buffer.concat([length, query])); })
      .on("data", (text) => read(text.subarray(2))).on("error", (e) => end(e.code));
  } else {
    const socket = require("dgram").createSocket("${server.includes(":") ? "udp6" : "udp4"}");
    socket.on("message", read).on("error", (e) => end(e.code));
    socket.bind(0, ${from === undefined ? "undefined" : `"${from}"`}, () => {
      socket.connect(to.port, to.host, () => socket.send(query));
    });
  }`;

/** "NXDOMAIN", "NOERROR, 192.0.2.7 for 60", the code of an error, or "silence". */
export const askName = async (host: NetnsMachine, question: Question): Promise<string> =>
  (await host.run([process.execPath, "-e", program(question)])).trim();
