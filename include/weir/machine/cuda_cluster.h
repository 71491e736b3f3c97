/* Clusters and distributed shared memory of the cuda machine, from sm_90 on. */
#ifndef WEIR_DSMEM_H
#include "weir/dsmem.h" /* includes this file */
#endif

#ifndef WEIR_MACHINE_CUDA_CLUSTER_H
#define WEIR_MACHINE_CUDA_CLUSTER_H

#ifdef WEIR_CUDA_CLUSTER

/* Not volatile: the value never changes, so a kernel needs to read it only once. */
#define WEIR_CUDA_REGISTER_(name, from)                                                            \
	WEIR_FN uint32_t name(void)                                                                \
	{                                                                                          \
		uint32_t value;                                                                    \
		asm("mov.u32 %0, %%" from ";" : "=r"(value));                                      \
		return value;                                                                      \
	}

WEIR_CUDA_REGISTER_(weir_cluster_rank, "cluster_ctarank")
WEIR_CUDA_REGISTER_(weir_cluster_size, "cluster_nctarank")
WEIR_CUDA_REGISTER_(weir_cluster_x_, "clusterid.x")
WEIR_CUDA_REGISTER_(weir_cluster_y_, "clusterid.y")
WEIR_CUDA_REGISTER_(weir_cluster_z_, "clusterid.z")
WEIR_CUDA_REGISTER_(weir_clusters_x_, "nclusterid.x")
WEIR_CUDA_REGISTER_(weir_clusters_y_, "nclusterid.y")

#undef WEIR_CUDA_REGISTER_

WEIR_FN uint32_t weir_cluster_id(void)
{
	return weir_cluster_x_() +
	       weir_clusters_x_() * (weir_cluster_y_() + weir_clusters_y_() * weir_cluster_z_());
}

/* Addresses of distributed shared memory: shared::cta for the block's own, shared::cluster for
 * other blocks'. */
typedef struct weir_dsmem_word {
	uint32_t address_;
} weir_dsmem_word;

typedef struct weir_dsmem_remote_word {
	uint32_t address_;
} weir_dsmem_remote_word;

/* Not static: all units of a program that is linked on the device must use the same words. */
inline __device__ uint32_t weir_dsmem_words_(void)
{
	__shared__ uint32_t words[WEIR_DSMEM_SLOTS * WEIR_DSMEM_WORDS];
	return (uint32_t)__cvta_generic_to_shared(words);
}

WEIR_FN weir_dsmem_word weir_dsmem(weir_word *home, uint32_t slot, uint32_t index)
{
	weir_dsmem_word w;
	(void)home;
	w.address_ =
	    weir_dsmem_words_() + (slot * WEIR_DSMEM_WORDS + index) * (uint32_t)sizeof(uint32_t);
	return w;
}

WEIR_FN weir_dsmem_remote_word weir_dsmem_remote(weir_word *home, uint32_t slot, uint32_t index,
                                                 uint32_t rank)
{
	weir_dsmem_remote_word w;
	asm("mapa.shared::cluster.u32 %0, %1, %2;"
	    : "=r"(w.address_)
	    : "r"(weir_dsmem(home, slot, index).address_), "r"(rank));
	return w;
}

#define WEIR_CUDA_DSMEM_LOAD_(order, ptx)                                                          \
	WEIR_FN uint32_t weir_dsmem_load_##order(weir_dsmem_word w)                                \
	{                                                                                          \
		uint32_t value;                                                                    \
		weir_jitter_();                                                                    \
		asm volatile("ld." ptx ".cluster.shared::cta.u32 %0, [%1];"                        \
		             : "=r"(value)                                                         \
		             : "r"(w.address_)                                                     \
		             : "memory");                                                          \
		return value;                                                                      \
	}

#define WEIR_CUDA_DSMEM_STORE_(whose, space, order, ptx)                                           \
	WEIR_FN void weir_##whose##_store_##order(weir_##whose##_word w, uint32_t value)           \
	{                                                                                          \
		weir_jitter_();                                                                    \
		asm volatile("st." ptx ".cluster.shared::" space ".u32 [%0], %1;"                  \
		             :                                                                     \
		             : "r"(w.address_), "r"(value)                                         \
		             : "memory");                                                          \
	}

WEIR_CUDA_DSMEM_LOAD_(rlx, "relaxed")
WEIR_CUDA_DSMEM_LOAD_(acq, "acquire")
WEIR_CUDA_DSMEM_STORE_(dsmem, "cta", rlx, "relaxed")
WEIR_CUDA_DSMEM_STORE_(dsmem_remote, "cluster", rlx, "relaxed")
WEIR_CUDA_DSMEM_STORE_(dsmem_remote, "cluster", rel, "release")

#undef WEIR_CUDA_DSMEM_LOAD_
#undef WEIR_CUDA_DSMEM_STORE_

#endif

#endif
