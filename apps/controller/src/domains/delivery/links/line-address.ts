import { addressOf } from "@weft/contract/rules/address.ts";

interface ConfiguredLine {
  readonly interface_name: string;
  readonly addressing: "static" | "dhcp";
  /** address/length of a static line. */
  readonly ip: string | null;
  /** Where it is called through a NAT in front of it. */
  readonly public_ip: string | null;
}

/** What a device reported of an interface (node_status.lines). */
export interface ReportedLine {
  readonly interfaceName: string;
  readonly address: string | null;
}

/** The address that others call a line at, without length: its public one, the configured, or what the device reported. */
export function lineAddress(
  line: ConfiguredLine,
  reported: readonly ReportedLine[],
): string | null {
  if (line.public_ip !== null) return line.public_ip;
  if (line.addressing === "static") return line.ip === null ? null : addressOf(line.ip);
  const reportedLine = reported.find(
    (reportedLine) => reportedLine.interfaceName === line.interface_name,
  );
  return reportedLine?.address ? addressOf(reportedLine.address) : null;
}
