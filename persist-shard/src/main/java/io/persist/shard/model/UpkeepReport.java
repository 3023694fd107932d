package io.persist.shard.model;

/**
 * What upkeep has done.
 *
 * @param expired leases that were over
 * @param merges merges of batches
 * @param collected objects of merged batches that were deleted
 * @param truncated versions that were deleted
 * @param swept objects without an owner that were deleted
 */
public record UpkeepReport(int expired, int merges, int collected, int truncated, int swept) {}
