package io.persist.support;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Buffers of other libraries, and bytes for buffers. */
public final class Buffers {

    private Buffers() {}

    /** Eight bytes for each number, little-endian as everything that a log gives. */
    public static byte[] longBytes(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    /** The methods of a DirectBuffer that are used; agrona's own buffers need a JVM flag on some versions. */
    public static DirectBuffer direct(byte[] content) {
        return direct(ByteBuffer.wrap(content), null, null);
    }

    /** One that is an array, from an index on. */
    public static DirectBuffer onArray(byte[] content, int from, int length) {
        return direct(ByteBuffer.wrap(content, from, length).slice(), content, null);
    }

    /** One that is a buffer. */
    public static DirectBuffer onBuffer(ByteBuffer content) {
        return direct(content, null, content);
    }

    /** One that is memory at an address, which it does not tell as a buffer. */
    public static DirectBuffer onAddress(ByteBuffer content) {
        return direct(content, null, null);
    }

    private static DirectBuffer direct(ByteBuffer content, byte @Nullable [] array, @Nullable ByteBuffer buffer) {
        return (DirectBuffer) Proxy.newProxyInstance(
                DirectBuffer.class.getClassLoader(),
                new Class<?>[] {DirectBuffer.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "byteArray" -> array;
                    case "byteBuffer" -> buffer;
                    case "wrapAdjustment" -> array == null ? 0 : content.arrayOffset();
                    case "boundsCheck" ->
                        Objects.checkFromIndexSize((int) arguments[0], (int) arguments[1], content.capacity()) < 0
                                ? ""
                                : null;
                    case "getBytes" -> {
                        if (arguments[1] instanceof ByteBuffer to) {
                            to.put((int) arguments[2], content, (int) arguments[0], (int) arguments[3]);
                        } else {
                            content.get(
                                    (int) arguments[0], (byte[]) arguments[1], (int) arguments[2], (int) arguments[3]);
                        }
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}
