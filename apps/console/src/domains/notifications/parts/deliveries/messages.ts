import { defineMessages } from "@weft/contract/kernel/message.ts";

export const deliveryMessages = defineMessages({
  "delivery.log": ["投递记录", "Deliveries"],
  "delivery.title": ["{name} 的投递记录", "Deliveries to {name}"],
  "delivery.empty": [
    "还没有投递。发送测试消息可以看到接收方的答复",
    "Nothing was sent yet. A test message shows what the receiver answers",
  ],
  "delivery.state": ["投递状态", "Delivery"],
  "delivery.test": ["发送测试消息", "Send a test message"],
  "delivery.testBy": ["测试{channel}", "Test {channel}"],
  "delivery.testSent": [
    "测试消息已排队，答复几秒后显示",
    "The test message is queued; the answer follows within seconds",
  ],
  "delivery.resend": ["重新发送", "Send again"],
  "delivery.resent": ["已排队重新发送", "Queued to be sent again"],
  "delivery.stillWaits": ["仍在等待发送，会自动重试", "It still waits, and is retried by itself"],
  "delivery.what": ["内容", "About"],
  "delivery.answer": ["答复", "Answer"],
  "delivery.count": ["次数", "Attempts"],
  "delivery.attempts": ["发送经过", "Attempts"],
  "delivery.unknown": [
    "发送进程中断，结果未知",
    "The sending process ended; the result is not known",
  ],
  "delivery.next": ["下次发送 {time}", "Next attempt {time}"],
  "delivery.body": ["消息正文", "Message"],
  "delivery.key": ["投递标识（webhook-id）", "Delivery id (webhook-id)"],
  "delivery.noAnswer": ["无答复", "no answer"],
});
