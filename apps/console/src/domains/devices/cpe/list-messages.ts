import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Beside those of a CPE: what is done with many of them. */
export const cpeListMessages = defineMessages({
  "batch.disableTitle": ["停用 {count} 台 CPE？", "Disable {count|CPE|CPEs}?"],
  "batch.disableBody": [
    "{names} 立即断开，配置保留。",
    "{names} lose access immediately; their settings are kept.",
  ],
  "batch.removeTitle": ["删除 {count} 台 CPE？", "Delete {count|CPE|CPEs}?"],
  "batch.removeBody": [
    "{names} 立即断开，配置一并删除，不能恢复。",
    "{names} lose access immediately and their settings are deleted permanently.",
  ],
  "batch.settings": ["批量设置", "Settings"],
  "batch.join": ["加入空间", "Join space"],
  "batch.move": ["移动区域", "Move"],
  "batch.reboot": ["重启", "Restart"],
  "area.manage": ["区域", "Areas"],
  "firmware.manage": ["固件", "Firmware"],
});
