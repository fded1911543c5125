// Charts as files that look the same everywhere: the letters of a drawing come with it, from the very font by which the
// engine has measured them. A PNG is that drawing, put onto a canvas.

import bold from '../../../crates/chart/fonts/Arimo-Bold.ttf?url';
import regular from '../../../crates/chart/fonts/Arimo-Regular.ttf?url';

/** Dots are seen from near: twice as many as the drawing has pixels. */
const DENSE = 2;

/** The drawing with its font inside. */
export async function withFont(drawing: string): Promise<string> {
  const faces = await Promise.all([face(regular, 400), face(bold, 700)]);
  return drawing.replace('<style>', `<style>${faces.join('')}`);
}

async function face(address: string, weight: number): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error('the font could not be loaded');
  const data = base64(new Uint8Array(await response.arrayBuffer()));
  return `@font-face{font-family:Arimo;font-weight:${weight};src:url(data:font/ttf;base64,${data}) format("truetype")}`;
}

function base64(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
}

/** A drawing with its font as PNG. */
export async function png(drawing: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth * DENSE, image.naturalHeight * DENSE];
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture')))),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
