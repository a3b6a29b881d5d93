import AlertOutlined from "@ant-design/icons/es/icons/AlertOutlined";
import ApartmentOutlined from "@ant-design/icons/es/icons/ApartmentOutlined";
import AppstoreOutlined from "@ant-design/icons/es/icons/AppstoreOutlined";
import BankOutlined from "@ant-design/icons/es/icons/BankOutlined";
import BranchesOutlined from "@ant-design/icons/es/icons/BranchesOutlined";
import CloudOutlined from "@ant-design/icons/es/icons/CloudOutlined";
import CloudServerOutlined from "@ant-design/icons/es/icons/CloudServerOutlined";
import ClusterOutlined from "@ant-design/icons/es/icons/ClusterOutlined";
import ControlOutlined from "@ant-design/icons/es/icons/ControlOutlined";
import DashboardOutlined from "@ant-design/icons/es/icons/DashboardOutlined";
import DeploymentUnitOutlined from "@ant-design/icons/es/icons/DeploymentUnitOutlined";
import EnvironmentOutlined from "@ant-design/icons/es/icons/EnvironmentOutlined";
import FileTextOutlined from "@ant-design/icons/es/icons/FileTextOutlined";
import HddOutlined from "@ant-design/icons/es/icons/HddOutlined";
import HomeOutlined from "@ant-design/icons/es/icons/HomeOutlined";
import IdcardOutlined from "@ant-design/icons/es/icons/IdcardOutlined";
import KeyOutlined from "@ant-design/icons/es/icons/KeyOutlined";
import LineChartOutlined from "@ant-design/icons/es/icons/LineChartOutlined";
import LinkOutlined from "@ant-design/icons/es/icons/LinkOutlined";
import MailOutlined from "@ant-design/icons/es/icons/MailOutlined";
import MessageOutlined from "@ant-design/icons/es/icons/MessageOutlined";
import MobileOutlined from "@ant-design/icons/es/icons/MobileOutlined";
import NodeIndexOutlined from "@ant-design/icons/es/icons/NodeIndexOutlined";
import NotificationOutlined from "@ant-design/icons/es/icons/NotificationOutlined";
import ProfileOutlined from "@ant-design/icons/es/icons/ProfileOutlined";
import SafetyCertificateOutlined from "@ant-design/icons/es/icons/SafetyCertificateOutlined";
import SettingOutlined from "@ant-design/icons/es/icons/SettingOutlined";
import SlidersOutlined from "@ant-design/icons/es/icons/SlidersOutlined";
import SmileOutlined from "@ant-design/icons/es/icons/SmileOutlined";
import SwapOutlined from "@ant-design/icons/es/icons/SwapOutlined";
import TeamOutlined from "@ant-design/icons/es/icons/TeamOutlined";
import ThunderboltOutlined from "@ant-design/icons/es/icons/ThunderboltOutlined";
import TransactionOutlined from "@ant-design/icons/es/icons/TransactionOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import WalletOutlined from "@ant-design/icons/es/icons/WalletOutlined";
import type { IconName } from "@weft/contract/kernel/menu.ts";
import type { ReactElement } from "react";

const icons: Readonly<Record<IconName, ReactElement>> = {
  overview: <HomeOutlined />,
  site: <EnvironmentOutlined />,
  enterprise: <BankOutlined />,
  pop: <CloudServerOutlined />,
  cpe: <HddOutlined />,
  enrolment: <SafetyCertificateOutlined />,
  business: <AppstoreOutlined />,
  overlay: <ApartmentOutlined />,
  space: <ClusterOutlined />,
  link: <LinkOutlined />,
  system: <SettingOutlined />,
  user: <UserOutlined />,
  role: <TeamOutlined />,
  key: <KeyOutlined />,
  mobile: <MobileOutlined />,
  account: <IdcardOutlined />,
  config: <ControlOutlined />,
  underlay: <NodeIndexOutlined />,
  segment: <BranchesOutlined />,
  notice: <NotificationOutlined />,
  template: <ProfileOutlined />,
  acceleration: <ThunderboltOutlined />,
  circuit: <SwapOutlined />,
  cloud: <CloudOutlined />,
  monitor: <DashboardOutlined />,
  topology: <DeploymentUnitOutlined />,
  alarm: <AlertOutlined />,
  pulse: <LineChartOutlined />,
  deal: <TransactionOutlined />,
  recharge: <WalletOutlined />,
  person: <SmileOutlined />,
  message: <MessageOutlined />,
  receiver: <MailOutlined />,
  parameter: <SlidersOutlined />,
  record: <FileTextOutlined />,
};

/** The icon of a key that the server sent; none for one that is not known here. */
export const iconOf = (name: string): ReactElement | null =>
  Object.hasOwn(icons, name) ? icons[name as IconName] : null;
