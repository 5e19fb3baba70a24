export function capitalized(text) {
  return text[0].toUpperCase() + text.slice(1);
}

export function uncapitalized(text) {
  return text[0].toLowerCase() + text.slice(1);
}
