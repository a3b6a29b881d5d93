import { defineMessages } from "@weft/contract/kernel/message.ts";

export const popMessages = defineMessages({
  "pop.title": ["POP 管理", "POP management"],
  "pop.add": ["新增 POP", "Add POP"],
  "pop.editOf": ["编辑 POP {name}", "Edit POP {name}"],
  "pop.search": ["名称、SN、IP 或 MAC", "Name, SN, IP or MAC"],
  "pop.address": ["地址", "Address"],
  "pop.bandwidthMbps": ["带宽 Mbit/s", "Bandwidth Mbit/s"],
  "pop.groupidHelp": ["拥有这台 POP 的企业", "The enterprise that owns this POP"],
  "pop.snHelp": [
    "开局码与该序列号绑定，仅该设备可用",
    "The activation code is bound to this serial number: only this device can use it",
  ],
  "pop.place": ["位置", "Place"],
  "pop.removeTitle": ["删除 POP {name}？", "Delete POP {name}?"],
  "pop.removeBody": [
    "{name} 没有链路，删除不影响业务；设备立即断开，它的 WAN 链路一并删除，不能恢复。",
    "{name} has no links, so no traffic is affected; the device loses access immediately and its WAN links are deleted permanently.",
  ],
  "pop.empty": [
    "还没有 POP。POP 是 CPE 接入的枢纽，新增后生成开局码，设备联网即上线",
    "No POPs yet. A POP is the hub that CPEs connect to. Add one, create its activation code; the device enrols itself once online",
  ],
  "pop.lines": ["WAN 链路", "WAN links"],
  "pop.system": ["系统设置", "System"],
  "pop.interfaces": ["接口", "Interfaces"],
  "pop.interfacesEmpty": ["设备还没有上报接口", "The device has not reported its interfaces yet"],
  "pop.carrier": ["接口状态", "Interface state"],
  "pop.interface": ["接口", "Interface"],
  "pop.inRate": ["入方向 Mbit/s", "In Mbit/s"],
  "pop.outRate": ["出方向 Mbit/s", "Out Mbit/s"],
  "pop.up": ["正常", "Up"],
  "pop.down": ["中断", "Down"],
  "pop.notReported": ["未上报", "Not reported"],
  "pop.mtuHelp": ["0：按各 WAN 链路", "0: the MTU of each WAN link"],
  "pop.scheduleHelp": [
    "按设备本地时间；经过它的业务中断约 90 秒",
    "In the time zone of the device; traffic through it stops for about 90 s",
  ],
  "pop.save": ["保存并下发", "Save and deliver"],
});
