import { CartPage } from '../features/cart/CartPage.tsx';
import { Bestsellers } from './home/Bestsellers.tsx';

/** The cart, and under it what else is liked: two features meet. */
export const CartRoute = () => <CartPage suggestions={<Bestsellers title="You May Also Like" />} />;
