import { defineMessages } from "@weft/contract/kernel/message.ts";

export const receiveMessages = defineMessages({
  "receive.title": ["消息接收管理", "Message receive management"],
  "receive.add": ["新增接收人", "Add recipient"],
  "receive.search": ["接收人", "Recipient"],
  "receive.empty": [
    "还没有接收人。告警策略通过邮件、短信、钉钉、企业微信、飞书或 Webhook 通知接收人",
    "No recipients yet. Alarm policies notify them by e-mail, text message, DingTalk, WeChat Work, Feishu or webhook",
  ],
  "receive.removeBody": [
    "告警不再通知此人，策略的其他接收人不受影响。",
    "Alarms are no longer sent to this recipient; other recipients of the policies are kept.",
  ],
  "receive.robots": ["机器人与 Webhook", "Robots and webhook"],
  "receive.secretKept": ["已设置，留空则不变", "Set; leave empty to keep it"],
  "receive.dingtalkHelp": [
    "机器人安全设置选择“加签”并填写密钥；选择关键词时填“告警”",
    "Choose signing in the security settings of the robot and enter its secret; as a keyword use “alarm” or “告警”",
  ],
  "receive.wechatHelp": [
    "地址中的 key 就是凭证，不要公开",
    "The key in the address is the credential: keep it to yourself",
  ],
  "receive.webhookHelp": [
    "以 JSON 接收通知；填写密钥则请求带签名",
    "Receives notifications as JSON; with a secret, requests are signed",
  ],
  "receive.off": ["不接收", "Off"],
});
