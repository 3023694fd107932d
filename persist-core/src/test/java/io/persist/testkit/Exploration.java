package io.persist.testkit;

/**
 * What a {@link CrashExplorer} has tried.
 *
 * @param operations different operations of the script, each of which had its turn, or each nth
 * @param points operations times faults and losses
 * @param unreached points that were not reached in several runs, because the script's threads went other ways; 0 for a
 *     script that does the same each time
 * @param histories random sequences of lives
 * @param seed by which the same is tried again
 */
public record Exploration(int operations, int points, int unreached, int histories, long seed) {}
