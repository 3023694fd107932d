package io.persist.peers.engine;

import io.persist.log.Durability;
import java.nio.file.Path;

/**
 * How an engine is opened.
 *
 * @param directory its own; exists; empty, or what the same kind left there
 * @param durability what commits wait for: {@code BUFFERED}, or {@code SYNCED}
 * @param messageLength bytes of each message, at least 16
 * @param space whether files are laid out before
 * @param expectedMessages how many will be appended from now on, where files are laid out before; one that cannot grow
 *     then refuses more
 * @param producers threads that will append; 0 to read only, which another process may do while one appends if the kind
 *     is {@link EngineKind.Reading#ANY_PROCESS}
 */
public record EngineConfig(
        Path directory, Durability durability, Space space, int messageLength, long expectedMessages, int producers) {}
