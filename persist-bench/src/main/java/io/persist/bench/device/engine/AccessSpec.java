package io.persist.bench.device.engine;

import java.nio.file.Path;

/**
 * What an access is opened for.
 *
 * @param file that is there
 * @param fileLength bytes that it has, or is to grow to; a multiple of {@code block}
 * @param block bytes of each operation
 * @param depth how many operations may be in flight, 1 for engines that do not queue
 * @param seed of the noise that is written
 */
public record AccessSpec(Path file, long fileLength, int block, int depth, Operation operation, long seed) {

    public boolean writes() {
        return operation == Operation.WRITE;
    }
}
