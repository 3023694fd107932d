package io.persist.support;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;

/** Buffers of other libraries. */
public final class Buffers {

    private Buffers() {}

    /** The methods of a DirectBuffer that are used; agrona's own buffers need a JVM flag on some versions. */
    public static DirectBuffer direct(byte[] content) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("getBytes") && arguments.length == 4 && arguments[1] instanceof ByteBuffer to) {
                to.put((int) arguments[2], content, (int) arguments[0], (int) arguments[3]);
                return null;
            }
            if (method.getName().equals("getBytes") && arguments.length == 4 && arguments[1] instanceof byte[] to) {
                System.arraycopy(content, (int) arguments[0], to, (int) arguments[2], (int) arguments[3]);
                return null;
            }
            if (method.getName().equals("boundsCheck")) {
                Objects.checkFromIndexSize((int) arguments[0], (int) arguments[1], content.length);
                return null;
            }
            throw new UnsupportedOperationException(method.toString());
        };
        return (DirectBuffer) Proxy.newProxyInstance(
                DirectBuffer.class.getClassLoader(), new Class<?>[] {DirectBuffer.class}, handler);
    }
}
