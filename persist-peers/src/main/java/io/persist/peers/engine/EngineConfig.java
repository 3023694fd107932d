package io.persist.peers.engine;

import io.persist.log.Durability;
import java.nio.file.Path;

/**
 * How an engine is opened.
 *
 * @param directory its own; exists; empty, or what the same kind left there
 * @param durability what commits wait for: {@code BUFFERED}, or {@code SYNCED}
 * @param messageLength bytes of each message, at least 16
 * @param expectedMessages how many there will be; engines that lay out their files ahead may size them by it
 * @param producers threads that will append
 */
public record EngineConfig(
        Path directory, Durability durability, int messageLength, long expectedMessages, int producers) {}
