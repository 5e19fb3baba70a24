export default function GatePage() {
  return null;
}
