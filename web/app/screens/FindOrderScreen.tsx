import { AuthFrame } from '../../features/auth/AuthFrame.tsx';
import { FindOrder } from '../../features/orders/guest/FindOrder.tsx';

export const FindOrderScreen = () => (
  <AuthFrame picture={{ src: '/pictures/collections/musk.webp', width: 1000, height: 1250 }}>
    <FindOrder />
  </AuthFrame>
);
