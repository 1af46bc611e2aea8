import { renderToString } from 'react-dom/server';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Alert } from './feedback/Alert.tsx';
import { Badge } from './Badge.tsx';
import { Button } from './Button.tsx';
import { Modal } from './overlay/Modal.tsx';
import { Money } from './Money.tsx';
import { Picture } from './Picture.tsx';
import { Toast } from './overlay/Toast.tsx';
import { Stars } from './Stars.tsx';
import { Stepper } from './form/Stepper.tsx';
import { useDelayedLoading } from './feedback/use-delayed-loading.ts';
import { Status } from './feedback/Status.tsx';
import { getDescription } from '../testing/interactions.ts';

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

const work = (meanwhile: (button: HTMLElement) => void): HTMLElement => {
  const form = (busy?: string) => (
    <>
      <input aria-label="Name" />
      <Button busy={busy}>Save</Button>
    </>
  );
  const { rerender } = render(form());
  const button = screen.getByRole('button');
  button.focus();
  rerender(form('Saving...'));
  expect(button.getAttribute('aria-busy')).toBe('true');
  // A browser blurs a button when it is disabled.
  button.blur();
  meanwhile(button);
  rerender(form());
  return button;
};

test('a button at work gets the focus back when the work is done', () => {
  const button = work(() => undefined);
  expect(document.activeElement).toBe(button);
});

test('a button at work leaves the focus where the shopper has moved it', () => {
  work(() => screen.getByLabelText('Name').focus());
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});

const showStepper = (value: number, max?: number) => {
  const onChange = vi.fn<(value: number) => void>();
  render(<Stepper name="Ruh Gulab" value={value} max={max} onChange={onChange} />);
  return onChange;
};
const step = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name: `${name} quantity of Ruh Gulab` });

test('a quantity stepper does not go below 1', () => {
  showStepper(1);
  expect(step('Decrease').disabled).toBe(true);
});
test('a quantity stepper moves the focus to the number when the pressed button becomes disabled', () => {
  showStepper(2);
  fireEvent.click(step('Decrease'));
  expect(document.activeElement?.textContent).toBe('2');
});

test.each([
  ['delivered', 'bg-khus-wash'],
  ['pending', 'bg-haldi'],
  ['shipped', 'bg-ash'],
  ['lost at sea', 'bg-ash'],
])('the badge of an order status for "%s" has the class %s', (status, ground) => {
  const { container } = render(<Badge status={status} />);
  expect(container.textContent.toLowerCase()).toBe(status);
  expect(container.firstElementChild?.className).toContain(ground);
});

test('a success is announced at the next pause, a large amount is read as it is written, and a rating in words', () => {
  render(
    <>
      <Alert kind="success">Product updated successfully</Alert>
      <Money amount="₹1,00,000.00" />
      <Stars rating={4.5} />
    </>,
  );
  expect(screen.getByRole('status').textContent).toBe('Product updated successfully');
  expect(document.body.textContent).toContain('₹1,00,000.00');
  expect(screen.getByRole('img', { name: '4.5 of 5 stars' })).toBeInstanceOf(Element);
});

test('the toast closes after three seconds and shows the mark in its text', () => {
  vi.useFakeTimers();
  const onClose = vi.fn();
  render(<Toast kind="success" message="✅ Product added successfully" onClose={onClose} />);
  expect(screen.getByText('✅ Product added successfully').closest('.sr-only')).toBeNull();
  pass(2999);
  expect(onClose).not.toHaveBeenCalled();
  pass(1);
  expect(onClose).toHaveBeenCalledOnce();
});
test('the toast pauses while it is hovered', () => {
  vi.useFakeTimers();
  const onClose = vi.fn();
  render(<Toast kind="success" message="Product added successfully" onClose={onClose} />);
  fireEvent.pointerEnter(screen.getByRole('status'));
  pass(10_000);
  expect(onClose).not.toHaveBeenCalled();
});
test('the toast returns the focus when it closes, and closes with Escape wherever the focus is', () => {
  const onClose = vi.fn();
  render(
    <>
      <button type="button">Edit</button>
      <Toast kind="success" stays message="Product updated successfully" onClose={onClose} />
    </>,
  );
  const before = screen.getByRole('button', { name: 'Edit' });
  act(() => before.focus());
  act(() => screen.getByRole('button', { name: 'Close' }).focus());
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(document.activeElement).toBe(before);
  fireEvent.keyDown(before, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(2);
});

test('the modal has a name and a description, and closes with Escape', () => {
  const onClose = vi.fn();
  render(<Modal open onClose={onClose} title="Cancel this order?" description={<p>Until it ships.</p>} foot={<Button>Keep</Button>} />);
  const dialog = screen.getByRole('dialog', { name: 'Cancel this order?' });
  expect(getDescription(dialog)).toBe('Until it ships.');
  fireEvent.keyDown(dialog, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});

test('a Picture shows the placeholder when its file is missing', () => {
  render(<Picture src="https://example.com/gone.jpg" alt="A bottle" sizes="100vw" />);
  const picture = screen.getByRole<HTMLImageElement>('img', { name: 'A bottle' });
  expect(picture.getAttribute('src')).toBe('https://example.com/gone.jpg');
  fireEvent.error(picture);
  expect(picture.getAttribute('src')).toBe('/pictures/placeholder.svg');
});
test('a Picture offers every width of a file of the shop', () => {
  render(<Picture src="/pictures/products/ruh-gulab.webp" alt="Ruh Gulab" sizes="46vw" />);
  expect(screen.getByRole('img').getAttribute('srcset')).toContain('/pictures/products/ruh-gulab-240.webp 240w');
  expect(screen.getByRole('img').getAttribute('loading')).toBe('lazy');
});

const Loading = ({ loading }: { loading: boolean }) => <p>{useDelayedLoading(loading) ? 'Loading' : 'Still'}</p>;

test('the loading indicator is not shown for a short wait, and otherwise for at least 300 ms', () => {
  vi.useFakeTimers();
  const { rerender } = render(<Loading loading />);
  pass(149);
  rerender(<Loading loading={false} />);
  pass(1000);
  expect(screen.getByText('Still')).toBeInstanceOf(HTMLElement);
  rerender(<Loading loading />);
  pass(150);
  rerender(<Loading loading={false} />);
  pass(299);
  expect(screen.getByText('Loading')).toBeInstanceOf(HTMLElement);
  pass(1);
  expect(screen.getByText('Still')).toBeInstanceOf(HTMLElement);
});

test('a toast is mounted before it gets its text, unless it is an alert', () => {
  const said = (kind: 'success' | 'failure') =>
    renderToString(<Toast kind={kind} stays message="Added" detail="Ruh Gulab" onClose={() => {}} />);
  expect(said('success')).not.toMatch(/Added|Ruh Gulab/);
  expect(said('failure')).toMatch(/Added.*Ruh Gulab/);
});

test('a status is mounted before it gets its text', () => {
  expect(renderToString(<Status>Loading</Status>)).toBe('<p role="status"></p>');
  render(<Status>Loading</Status>);
  expect(screen.getByRole('status').textContent).toBe('Loading');
});
