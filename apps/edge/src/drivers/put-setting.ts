/** Kernel settings of interfaces that the device makes itself, from a shell that sets them in the namespace of the interface. */

/**
 * Function for sh: `put KEY VALUE`, with a key below /proc/sys/net and a value of one digit. It writes only what differs: where
 * /proc/sys is read-only, interfaces may have come as they are to be. A shell that reads byte by byte gets the first digit and
 * then the end of such a file.
 */
export const putSetting = `put() {
now=; read -r now <"/proc/sys/net/$1"
[ "$now" = "$2" ] || echo "$2" >"/proc/sys/net/$1"
}
`;

/** Machines with IPv6 turned off as a rule refuse each address of it. This interface is ours; others, and the rule, are not. */
export const turnOnIpv6 = (interfaceName: string): string =>
  `put ipv6/conf/${interfaceName}/disable_ipv6 0`;
