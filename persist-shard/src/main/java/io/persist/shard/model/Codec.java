package io.persist.shard.model;

import io.persist.shard.bytes.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Makes bytes of keys or values, and these of bytes. Equal objects have to give equal bytes: updates are summed by
 * their bytes. {@link #decode} has to accept what every earlier version of the codec has encoded.
 *
 * <p><b>Threads:</b> any, at the same time.
 */
public interface Codec<T> {

    /** The name that a shard keeps for ever: one that was created with another name is refused. */
    String name();

    /**
     * The bytes of {@code value}; the array is not changed or kept.
     *
     * @throws IllegalArgumentException if it cannot have bytes of its own; nothing is appended then
     */
    byte[] encode(T value);

    /** The object of {@code bytes}, which belong to the callee. */
    T decode(byte[] bytes);

    /** Text as UTF-8, name {@code utf8}. It refuses text with a lone surrogate, which has no UTF-8 of its own. */
    static Codec<String> utf8() {
        return of("utf8", Utf8::of, bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    /** Bytes as they are, name {@code bytes}. */
    static Codec<byte[]> bytes() {
        return of("bytes", bytes -> bytes, bytes -> bytes);
    }

    /** A codec of two functions. */
    static <T> Codec<T> of(String name, Function<? super T, byte[]> encoder, Function<byte[], ? extends T> decoder) {
        return new Codec<>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public byte[] encode(T value) {
                return encoder.apply(value);
            }

            @Override
            public T decode(byte[] bytes) {
                return decoder.apply(bytes);
            }
        };
    }
}
