import { expect, test } from "vitest";
import { formatMessage } from "#kernel/message.ts";
import { checkWire } from "#kernel/rule.ts";
import { findMessage } from "../../messages.ts";
import { aclRule, aclRuleSamples } from "./acl-rule.ts";

const ids = { groupid: 1, cpeId: 2, popId: 3 };

test.each([
  ["icmp", "srcPort"],
  ["icmp", "dstPort"],
  ["any", "dstPort"],
])(
  "a rule for %s with a port in %s is refused with the reason, in both languages",
  (protocol, field) => {
    const memory = { ...aclRuleSamples.valid(ids), srcPort: null, dstPort: null, protocol };
    const wire = aclRule.draft.encode(memory as never) as object;
    const checked = checkWire(aclRule.draft, { ...wire, [field]: "443" });
    expect(checked).toEqual({
      ok: false,
      issues: [{ path: field, rule: "portsWithProtocol", params: {} }],
    });
    const text = findMessage("rule.portsWithProtocol");
    expect(text && formatMessage(text, "zh_cn")).toContain("仅协议为 TCP 或 UDP 时可填端口");
    expect(text && formatMessage(text, "en_gb")).toContain("Ports only with TCP or UDP");
    expect(checkWire(aclRule.draft, wire).ok).toBe(true);
  },
);
