import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts about the tasks of a node: deliveries of states. */
export const taskMessages = defineMessages({
  "node.card.tasks": ["任务", "Tasks"],
  "task.state": ["任务状态", "Task state"],
  "task.type": ["类型", "Type"],
  "task.content": ["内容", "Content"],
  "task.serial": ["版本", "Serial"],
  "task.created": ["创建", "Created"],
  "task.changed": ["更新", "Changed"],
  "task.cancel": ["取消", "Cancel"],
  "task.cannotCancel": [
    "设备已拉取，不能取消",
    "The device has received it; it can no longer be cancelled",
  ],
  "task.cancelOk": ["取消任务", "Cancel task"],
  "task.cancelTitle": ["取消 {name} 的任务 {id}？", "Cancel task {id} of {name}?"],
  "task.cancelBody": [
    "设备不会收到 #{serial}，继续运行现有配置；下次保存会再次下发。",
    "The device will not get #{serial} and keeps its configuration; the next change is delivered again.",
  ],
  "task.empty": [
    "还没有任务。保存配置后在这里看到下发",
    "No tasks yet. Deliveries are listed here after something is saved",
  ],
});
