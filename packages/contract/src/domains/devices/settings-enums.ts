/** Codes of what is set on a site and asked of its device. */

/** spec/enums.json dnsEntryType: 0 domain to address, 1 domain to DNS server. */
export const dnsEntryTypes = [0, 1] as const;
export type DnsEntryType = (typeof dnsEntryTypes)[number];
/** 0 deny, 1 allow. */
export const aclActions = [0, 1] as const;
export const aclProtocols = ["any", "tcp", "udp", "icmp"] as const;
export type AclProtocol = (typeof aclProtocols)[number];
export const dialTypes = ["ping", "http", "dns", "trace"] as const;
export type DialType = (typeof dialTypes)[number];
export const blacklistTypes = ["ip", "mac", "domain", "url"] as const;
/** spec/enums.json firmwareTaskState: queued, downloading, upgraded, failed, cancelled. */
export const firmwareTaskStates = [0, 1, 2, 3, 4] as const;
/** Life of one command to a device; `expired`: no answer within its time. */
export const commandStatuses = ["waiting", "sent", "done", "failed", "refused", "expired"] as const;
export type CommandStatus = (typeof commandStatuses)[number];
/** spec/enums.json tokenExpiryState; 4 and 5 are the filter values of section 2.6. */
export const expiryStates = [3, 4, 5] as const;
export const expiryState = { normal: 3, dueSoon: 4, expired: 5 } as const;
