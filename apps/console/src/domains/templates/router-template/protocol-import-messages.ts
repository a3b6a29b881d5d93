import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of sending a protocol file to the service elsewhere. */
export const protocolImportMessages = defineMessages({
  "protocolImport.open": ["外部协议导入", "External protocol import"],
  "protocolImport.choose": ["选择文件并发送", "Choose a file and send it"],
  "protocolImport.help": [
    "文件由浏览器直接发送到第三方服务 {host}，不附带登录信息，也不经过控制器。最大 {most} MB。",
    "Your browser sends the file straight to the third-party service {host}, without your session and not through the controller. At most {most} MB.",
  ],
  "protocolImport.done": ["对方服务已接收 {name}", "The service took {name}"],
  "protocolImport.empty": ["文件为空，没有发送", "the file is empty; nothing was sent"],
  "protocolImport.tooLarge": [
    "文件超过 {most} MB，没有发送",
    "the file is larger than {most} MB; nothing was sent",
  ],
  "protocolImport.timeout": [
    "对方服务 {seconds} 秒内没有答复，文件处理结果未知",
    "no answer within {seconds} s; whether the file was taken is not known",
  ],
  "protocolImport.unreachable": [
    "对方服务无法访问，或不允许本站点调用（CORS）。请联系管理员核对地址",
    "the service cannot be reached, or it does not allow this site (CORS). Have an administrator check its address",
  ],
  "protocolImport.unreadable": [
    "对方服务的答复无法识别，文件处理结果未知",
    "the answer of the service makes no sense; whether the file was taken is not known",
  ],
  "protocolImport.status": ["对方服务答复 HTTP {status}", "the service answered HTTP {status}"],
  "protocolImport.refused": ["对方服务拒绝：{reason}", "the service refused: {reason}"],
});
