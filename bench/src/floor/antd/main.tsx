// The least that a shell of antd with its first list can weigh: menu, tabs, drawer, modal, form at
// once; table, select, date picker and transfer with the list, as a screen would bring them.
import Button from "antd/es/button";
import ConfigProvider from "antd/es/config-provider";
import Drawer from "antd/es/drawer";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Menu from "antd/es/menu";
import Modal from "antd/es/modal";
import Tabs from "antd/es/tabs";
import { lazy, Suspense, useState } from "react";
import { createRoot } from "react-dom/client";

const List = lazy(async () => ({ default: (await import("./list.tsx")).List }));

const entries = [
  { key: "sites", label: "Sites", children: [{ key: "cpe", label: "CPE" }] },
  { key: "system", label: "System", children: [{ key: "users", label: "Users" }] },
];

function Shell() {
  const [open, setOpen] = useState<"drawer" | "modal" | null>(null);
  const form = (
    <Form>
      <Form.Item name="name" label="Name" rules={[{ required: true }]}>
        <Input />
      </Form.Item>
    </Form>
  );
  return (
    <ConfigProvider>
      <div style={{ display: "flex" }}>
        <div id="press">
          <Menu mode="inline" style={{ width: 220 }} items={entries} />
        </div>
        <main style={{ flex: 1 }}>
          <Tabs items={[{ key: "cpe", label: "CPE" }]} />
          <Button onClick={() => setOpen("drawer")}>Drawer</Button>
          <Button onClick={() => setOpen("modal")}>Dialog</Button>
          <Suspense>
            <List />
          </Suspense>
        </main>
      </div>
      <Drawer open={open === "drawer"} onClose={() => setOpen(null)}>
        {form}
      </Drawer>
      <Modal open={open === "modal"} onCancel={() => setOpen(null)}>
        {form}
      </Modal>
    </ConfigProvider>
  );
}

const root = document.getElementById("root");
if (root) createRoot(root).render(<Shell />);
