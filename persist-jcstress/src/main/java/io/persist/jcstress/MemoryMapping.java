package io.persist.jcstress;

import io.persist.file.Mapping;
import java.nio.ByteBuffer;

/** Memory in the place of a mapped file. */
public record MemoryMapping(ByteBuffer buffer) implements Mapping {

    @Override
    public void force(int offset, int length) {}

    @Override
    public void close() {}
}
