import { defineMessages } from "@weft/contract/kernel/message.ts";

export const expiringMessages = defineMessages({
  "expiring.title": ["即将到期", "Due soon"],
  "expiring.titleWithEnded": ["即将到期和已到期", "Due soon or expired"],
  "expiring.none": ["近期没有到期", "Nothing expires soon"],
  "expiring.kind.cpe": ["CPE", "CPE"],
  "expiring.kind.pop": ["POP", "POP"],
  "expiring.kind.account": ["终端账号", "Terminal account"],
  "expiring.kind.circuit": ["专线", "Circuit"],
  "expiring.kind.enterprise": ["企业", "Enterprise"],
});
