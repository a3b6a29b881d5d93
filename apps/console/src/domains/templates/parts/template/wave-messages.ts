import { defineMessages } from "@weft/contract/kernel/message.ts";

/** How a version goes out: to all CPEs, or in waves. */
export const waveMessages = defineMessages({
  "wave.how": ["下发方式", "Rollout"],
  "wave.all": ["同时下发到全部 CPE", "To all CPEs at the same time"],
  "wave.inWaves": ["分批下发", "In waves"],
  "wave.allHelp": ["CPE 在线即更新", "Each CPE is updated as soon as it is in contact"],
  "wave.inWavesHelp": [
    "先更新少数 CPE，健康检查通过后继续；不通过则暂停并回滚该批",
    "A few CPEs first; the next wave starts when the health gates pass, and a wave that fails is rolled back",
  ],
  "wave.sizes": ["批次", "Waves"],
  "wave.sizesHelp": [
    "台数或百分比，逗号分隔；余下的为最后一批",
    "Numbers of CPEs or percentages, separated by commas; the rest is the last wave",
  ],
  "wave.counts": ["共 {waves} 批：{counts} 台", "{waves|wave|waves}: {counts} CPEs"],
  "wave.soak": ["观察时间", "Soak time"],
  "wave.soakHelp": [
    "每台 CPE 持续正常达到此时长才算通过",
    "Every CPE of a wave must be healthy for this long",
  ],
  "wave.grace": ["容忍时间", "Grace time"],
  "wave.graceHelp": [
    "失联、链路减少或丢包持续达到此时长才算失败",
    "Lost contact, fewer links or loss count when they last this long",
  ],
  "wave.seconds": ["秒", "s"],
  "wave.points": ["百分点", "points"],
  "wave.gates": ["健康检查", "Health gates"],
  "wave.taskHelp": [
    "设备拒绝配置或 10 分钟内未生效，总是算失败。",
    "A device that refuses the configuration, or is not running it within ten minutes, always counts as a failure.",
  ],
  "wave.contactGate": ["CPE 失联", "A CPE loses contact"],
  "wave.linkGate": ["在线链路少于下发前", "Fewer links are up than before"],
  "wave.findingGate": [
    "有预览中没有的不生效对象",
    "An object without effect that the preview did not show",
  ],
  "wave.lossLimit": ["丢包率高于下发前", "Loss is higher than before by"],
  "wave.lossHelp": ["留空：不检查丢包", "Empty: loss is not checked"],
  "wave.askEach": ["每批由操作员确认后开始", "An operator starts each further wave"],
  "wave.start": ["开始分批下发", "Start the first wave"],
  "wave.started": [
    "已开始分批下发，进度见模板概览",
    "Started; the overview of the template shows the waves",
  ],
});
