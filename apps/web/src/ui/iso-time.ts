// Times as programs and addresses have them. Pure and small: addresses are part of what every page loads first.

/** 2025-11-21T14:00:05.000Z. @param time milliseconds since the epoch */
export const isoTime = (time: number): string => new Date(time).toISOString();

/** 2025-11-21: the day of UTC that a time is on. @param time milliseconds since the epoch */
export const utcDay = (time: number): string => isoTime(time).slice(0, 10);

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that exists, as `utcDay` writes it. */
export const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(text)) && utcDay(Date.parse(text)) === text;
