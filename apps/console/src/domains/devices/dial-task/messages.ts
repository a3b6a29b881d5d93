import { defineMessages } from "@weft/contract/kernel/message.ts";

export const dialMessages = defineMessages({
  "dial.title": ["CPE 拨测任务", "CPE dial tasks"],
  "dial.add": ["新增任务", "Add task"],
  "dial.edit": ["编辑任务 {name}", "Edit task {name}"],
  "dial.empty": [
    "没有拨测任务。新增后按间隔从所选 CPE 测试目标",
    "No dial tasks. A dial task tests a target from selected CPEs periodically",
  ],
  "dial.intervalHelp": ["秒，30–86400", "Seconds, 30 to 86400"],
  "dial.last": ["最近结果（可达/应答）", "Last run (reached/answered)"],
  "dial.lastTime": ["最近运行", "Last run at"],
  "dial.never": ["尚未运行", "Has not run yet"],
  "dial.history": ["结果", "Results"],
  "dial.historyOf": ["{name} 的结果", "Results of {name}"],
  "dial.historyEmpty": [
    "还没有结果，启用后按间隔运行",
    "No results yet; an enabled task runs at its interval",
  ],
  "dial.removeTitle": ["删除拨测任务 {name}？", "Delete dial task {name}?"],
  "dial.removeBody": ["不再测试，历史结果一并删除。", "Testing stops and its results are deleted."],
});
