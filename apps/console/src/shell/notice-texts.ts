import { defineMessages } from "@weft/contract/kernel/message.ts";

export const noticeMessages = defineMessages({
  "notice.bell": ["到期提醒 {count}", "Expiry notices {count}"],
  "notice.cpe": ["CPE", "CPE"],
  "notice.pop": ["POP", "POP"],
  "notice.client": ["软终端", "Client"],
  "notice.expired": ["已到期", "expired"],
  "notice.dueDate": ["到期时间", "due date"],
  "notice.first": ["前 {shown} 条，共 {total} 条", "first {shown} of {total}"],
  "notice.dueSoon": ["即将到期", "Due soon"],
  "notice.allExpired": ["已到期", "Expired"],
  "notice.more": ["查看更多", "View more"],
  "notice.none": ["当前账号没有到期提醒", "No expiry notices for this account"],
  "notice.noneHere": ["没有即将到期或已到期的设备", "Nothing is due soon or expired"],
});
