import { renderToString } from 'react-dom/server';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
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

describe('a button at work', () => {
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

  test('gets the focus back when the work is done', () => {
    const button = work(() => undefined);
    expect(document.activeElement).toBe(button);
  });

  test('leaves the focus where the shopper has moved it', () => {
    work(() => screen.getByLabelText('Name').focus());
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  });
});

const showStepper = (value: number, max?: number) => {
  const onChange = vi.fn<(value: number) => void>();
  render(<Stepper name="Ruh Gulab" value={value} max={max} onChange={onChange} />);
  return onChange;
};
const step = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name: `${name} quantity of Ruh Gulab` });

describe('a quantity stepper', () => {
  test('does not go below 1', () => {
    showStepper(1);
    expect(step('Decrease').disabled).toBe(true);
  });
  test('goes up and down by one', () => {
    const onChange = showStepper(2);
    fireEvent.click(step('Increase'));
    fireEvent.click(step('Decrease'));
    expect(onChange.mock.calls).toEqual([[3], [1]]);
  });
  test('moves the focus to the number when the pressed button becomes disabled', () => {
    showStepper(2);
    fireEvent.click(step('Decrease'));
    expect(document.activeElement?.textContent).toBe('2');
  });
  test('does not go above its maximum', () => {
    showStepper(99, 99);
    expect(step('Increase').disabled).toBe(true);
  });
});

describe('the badge of an order status', () => {
  test.each([
    ['delivered', 'bg-khus-wash'],
    ['pending', 'bg-haldi'],
    ['shipped', 'bg-ash'],
    ['lost at sea', 'bg-ash'],
  ])('for "%s" has the class %s', (status, ground) => {
    render(<Badge status={status} />);
    expect(screen.getByText(new RegExp(`^${status}$`, 'i')).className).toContain(ground);
  });
});

describe('accessible text', () => {
  test('announces a success at the next pause', () => {
    render(<Alert kind="success">Product updated successfully</Alert>);
    expect(screen.getByRole('status').textContent).toBe('Product updated successfully');
  });
  test('reads a large amount as it is written', () => {
    render(<Money amount="₹1,00,000.00" />);
    expect(document.body.textContent).toBe('₹1,00,000.00');
  });
  test('reads a rating in words', () => {
    render(<Stars rating={4.5} />);
    expect(screen.getByRole('img', { name: '4.5 of 5 stars' })).toBeInstanceOf(Element);
  });
});

describe('the toast', () => {
  test('closes after three seconds and shows the mark in its text', () => {
    vi.useFakeTimers();
    const onClose = vi.fn();
    render(<Toast kind="success" message="✅ Product added successfully" onClose={onClose} />);
    expect(screen.getByText('✅ Product added successfully').closest('.sr-only')).toBeNull();
    pass(2999);
    expect(onClose).not.toHaveBeenCalled();
    pass(1);
    expect(onClose).toHaveBeenCalledOnce();
  });
  test('pauses while it is hovered', () => {
    vi.useFakeTimers();
    const onClose = vi.fn();
    render(<Toast kind="success" message="Product added successfully" onClose={onClose} />);
    fireEvent.pointerEnter(screen.getByRole('status'));
    pass(10_000);
    expect(onClose).not.toHaveBeenCalled();
  });
  test('returns the focus when it closes, and closes with Escape wherever the focus is', () => {
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
});

describe('the modal', () => {
  test('has a name and a description, and closes with Escape', () => {
    const onClose = vi.fn();
    render(<Modal open onClose={onClose} title="Cancel this order?" description={<p>Until it ships.</p>} foot={<Button>Keep</Button>} />);
    const dialog = screen.getByRole('dialog', { name: 'Cancel this order?' });
    expect(getDescription(dialog)).toBe('Until it ships.');
    fireEvent.keyDown(dialog, { key: 'Escape' });
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('a Picture', () => {
  test('shows the placeholder when its file is missing', () => {
    render(<Picture src="https://example.com/gone.jpg" alt="A bottle" sizes="100vw" />);
    const picture = screen.getByRole<HTMLImageElement>('img', { name: 'A bottle' });
    expect(picture.getAttribute('src')).toBe('https://example.com/gone.jpg');
    fireEvent.error(picture);
    expect(picture.getAttribute('src')).toBe('/pictures/placeholder.svg');
  });
  test('offers every width of a file of the shop', () => {
    render(<Picture src="/pictures/products/ruh-gulab.webp" alt="Ruh Gulab" sizes="46vw" />);
    expect(screen.getByRole('img').getAttribute('srcset')).toContain('/pictures/products/ruh-gulab-240.webp 240w');
    expect(screen.getByRole('img').getAttribute('loading')).toBe('lazy');
  });
});

const Loading = ({ loading }: { loading: boolean }) => <p>{useDelayedLoading(loading) ? 'Loading' : 'Still'}</p>;

describe('the loading indicator', () => {
  test('is not shown for a short wait', () => {
    vi.useFakeTimers();
    const { rerender } = render(<Loading loading />);
    pass(149);
    rerender(<Loading loading={false} />);
    pass(1000);
    expect(screen.getByText('Still')).toBeInstanceOf(HTMLElement);
  });
  test('is shown for at least 300 ms', () => {
    vi.useFakeTimers();
    const { rerender } = render(<Loading loading />);
    pass(150);
    rerender(<Loading loading={false} />);
    pass(299);
    expect(screen.getByText('Loading')).toBeInstanceOf(HTMLElement);
    pass(1);
    expect(screen.getByText('Still')).toBeInstanceOf(HTMLElement);
  });
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
